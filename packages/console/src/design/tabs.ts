/** A tab is a part of the address, so its link is active only if the whole address is its own. */
export const WHOLE_ADDRESS = { exact: true, includeSearch: true };
