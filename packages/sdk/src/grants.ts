import { Grants as GeneratedGrants } from './generated/grants.ts';
import type { RevocationPreview } from './records.ts';
import type { CallOptions } from './request.ts';

/** Roles and single actions that are granted to principals and groups. */
export class Grants extends GeneratedGrants {
  /** Previews which permissions a revocation would remove. */
  async previewRevocation(id: string, options: CallOptions = {}): Promise<RevocationPreview> {
    const { body } = await this.call.answer('access.revokeGrant', {
      ...options,
      params: { id },
      query: { dry_run: true },
    });
    return body as RevocationPreview;
  }
}
