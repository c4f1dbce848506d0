export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { type S3Server, startS3Server } from './s3-server.ts';
export { type SeaweedFS, startSeaweedFS } from './seaweedfs.ts';
export { type AssumeRole, type StsServer, startStsServer } from './sts-server.ts';
