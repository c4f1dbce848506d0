// Nothing at run time needs the Prisma command line. @prisma/client names it as an optional peer, which would bring it and
// its studio (with elkjs, under the EPL) into the production tree.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === '@prisma/client') {
        delete manifest.peerDependencies?.prisma;
        delete manifest.peerDependenciesMeta?.prisma;
      }
      return manifest;
    },
  },
};
