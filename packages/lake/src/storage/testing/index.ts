export { type Azurite, startAzurite } from './azurite.ts';
export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { type GoogleEmulator, startGoogleEmulator } from './google-emulator.ts';
export { freePort, type S3Server, startS3Server } from './s3-server.ts';
export { type SeaweedFS, startSeaweedFS } from './seaweedfs.ts';
export { type AssumeRole, type StsServer, startStsServer } from './sts-server.ts';
