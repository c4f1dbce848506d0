import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { tokenScope, tokenScopeFlags } from '../../arguments/token-scope.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class WorkloadIdentityCreate extends SvcCommand<typeof WorkloadIdentityCreate> {
  static override summary = 'Let a CI job or a pod sign in as a service account, without a stored secret';
  static override description =
    'Anyone who gets a token with this issuer, audience and subject signs in as the service account. The guide "Continuous integration" has the steps for common systems.';
  static override examples = [
    'svc workload-identity create ci --issuer https://token.actions.githubusercontent.com --subject repo:shop/pipelines:ref:refs/heads/main',
    "svc workload-identity create ci --issuer https://gitlab.com --subject 'project_path:shop/pipelines:*' --environment prod --action DEPLOY",
  ];
  static override args = { principal: requiredArg('service account') };
  static override flags = {
    issuer: string({ description: 'URL of the issuer, as in its tokens', required: true, helpValue: 'URL' }),
    audience: string({
      description: 'audience of the tokens (default: the address of the service)',
      helpValue: 'AUDIENCE',
    }),
    subject: string({
      description: 'subject of the tokens; a final * after : or / stands for any text',
      required: true,
      helpValue: 'SUBJECT',
    }),
    claim: string({
      description: 'further claim that the tokens must have, such as repository_id=4711; repeatable',
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...tokenScopeFlags,
  };

  async run(): Promise<void> {
    const { issuer, subject, audience = this.client.url, claim } = this.flags;
    const { principal } = this.args;
    const identity = await this.client.workloadIdentities.create(principal, issuer!, audience, subject!, {
      claims: claimsOf(claim ?? []),
      ...(await tokenScope(this.flags)),
    });
    this.done(identity, `${subject} can sign in as ${principal} with tokens for ${audience}.`);
  }
}

function claimsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw usageError(`--claim ${text} must have the form NAME=VALUE.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
