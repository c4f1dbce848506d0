/** Files that name images which others publish. */
export const PINNED_FILES = [
  'deploy/images/Dockerfile',
  'deploy/compose/compose.yaml',
  'deploy/compose/compose.sql.yaml',
];

/** `ARG NODE_IMAGE=node:22`, or `image: nginx:1`. Images of svc itself have no tag. */
const IMAGE = /^(ARG [A-Z]+_IMAGE=|\s*image: )([^\s@:]+:[^\s@]+)(?:@sha256:[0-9a-f]{64})?$/gm;

/** The text of a file with the current digest of each of its images. */
export const withDigests = (text, digestOf) =>
  text.replaceAll(IMAGE, (_, before, image) => `${before}${image}@${digestOf(image)}`);
