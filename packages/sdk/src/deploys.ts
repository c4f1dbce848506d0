import { Deploys as GeneratedDeploys } from './generated/deploys.ts';
import type { CallOptions } from './request.ts';
import type { UploadBody } from './transport.ts';

/** Deploys of projects. */
export class Deploys extends GeneratedDeploys {
  /** Uploads a working folder as a tar.gz; `create` takes the returned `bundle_id`. */
  uploadBundle(env: string, tarGz: UploadBody, options: CallOptions = {}): Promise<{ bundle_id: string }> {
    const upload = { params: { env }, body: tarGz, contentType: 'application/gzip' };
    return this.call.request('deploys.uploadBundle', { ...options, ...upload });
  }
}
