import { CopyButton } from '../design/copy.tsx';

/** Recovery codes, which are shown once and are in no cache. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="notice warn" role="status">
      <p>Store these recovery codes safely. Each replaces your second factor once. They are shown only now.</p>
      <ul className="codes mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label="Copy the recovery codes" />
    </div>
  );
}
