import type { AnswerOf, SvcClient } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Guarded } from '../access/guarded.tsx';
import { Badge } from '../design/badge.tsx';
import { Command, CopyButton } from '../design/copy.tsx';
import { Facts } from '../design/facts.tsx';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { count } from '../text/numbers.ts';
import { instantOf } from './queries.ts';

type AuditFormerHead = NonNullable<Parameters<SvcClient['audit']['verify']>[0]>['head'];

/** What a reader sees of the signature of a saved head. */
const SIGNATURES = {
  valid: 'and its signature is valid',
  invalid: 'but its signature is wrong',
  'unknown-key': 'signed with a key that the service no longer has',
  none: 'without a signature',
};

function Result({ result }: { result: AnswerOf<'audit.verify'> }) {
  const { intact, sealed, unsealed, problem, head, signed_head: signed, former_head: former } = result;
  return (
    <div className="stack" role="status">
      {problem === null ? null : (
        <p className="notice bad">
          <span>
            Event {count(problem.sequence)}: <Name>{problem.detail}</Name>
          </span>
        </p>
      )}
      <Facts
        facts={[
          [
            'Chain',
            <Badge key="chain" tone={intact ? 'good' : 'bad'}>
              {intact ? 'intact' : 'not intact'}
            </Badge>,
          ],
          ['Sealed events', count(sealed)],
          ['Not yet sealed', count(unsealed)],
          [
            'Signed since',
            signed === null ? 'not signed' : <Time key="since" at={signed.signed_since.time} absolute />,
          ],
          ...(former === null
            ? []
            : ([
                ['Saved head', `${former.contained ? 'contained' : 'not contained'}, ${SIGNATURES[former.signature]}`],
              ] as const)),
        ]}
      />
      {head === null ? null : (
        <div className="row">
          <span className="soft">Head</span>
          <code className="name">
            {head.sequence} {head.hash}
          </code>
          {signed === null ? null : <CopyButton text={JSON.stringify(signed)} label="Copy the signed head" />}
        </div>
      )}
    </div>
  );
}

/** @throws Error if the text isn't JSON; the service validates what it contains */
function savedHead(text: string): AuditFormerHead {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The saved head must be JSON: paste the whole signed head.');
  }
}

function Verification() {
  const [saved, setSaved] = useState('');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => svc.audit.verify({ head: savedHead(saved) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form className="card padded stack" onSubmit={submit} aria-label="Verification">
      <h2>Verify the log</h2>
      <p className="soft">
        Each sealed event is chained to the one before it by its hash, and the last one is signed. The verification
        reads the whole chain and finds events that were changed or removed.
      </p>
      <div className="field">
        <label htmlFor="head">Saved head (optional)</label>
        <textarea
          id="head"
          className="input mono"
          rows={3}
          spellCheck={false}
          value={saved}
          onChange={(event) => setSaved(event.target.value)}
        />
        <p className="hint">
          The signed head of an earlier verification or export, as JSON. The log must still contain it.
        </p>
      </div>
      {error === null ? null : <ErrorNotice error={error} />}
      {data === undefined ? null : <Result result={data} />}
      <div className="row">
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Verifying …' : 'Verify'}
        </button>
        <Command>{svcCommand('audit verify', null, {})}</Command>
      </div>
    </form>
  );
}

/** A link, so that the browser streams the log to a file. */
function Export({ since }: { since: string | undefined }) {
  const start = instantOf(since, Date.now())?.toISOString();
  const query = new URLSearchParams({ heads: 'true', ...(start === undefined ? {} : { since: start }) });
  return (
    <section className="card padded stack" aria-label="Export">
      <h2>Export the log</h2>
      <p className="soft">
        All events of the instance{' '}
        {start === undefined ? null : (
          <>
            since <Time at={start} absolute />
          </>
        )}{' '}
        as JSON lines, oldest first. The last line is the signed head: save it outside of the service.
      </p>
      <div className="row">
        <a className="button" href={`/api/v1/audit-events/export?${query}`} download="audit.jsonl">
          <Icon name="download" /> Export
        </a>
        <Command>{svcCommand('audit export', null, { since, heads: true })}</Command>
      </div>
    </section>
  );
}

/** Verifies the chain of the log, and exports it. */
export function Integrity({ since }: { since: string | undefined }) {
  return (
    <Guarded action="READ_AUDIT_LOG" object={{}}>
      <Verification />
      <Export since={since} />
    </Guarded>
  );
}
