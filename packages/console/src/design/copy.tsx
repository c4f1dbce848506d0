import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';

/** Copies a text. On plain HTTP, where browsers deny the clipboard, it copies through a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'hidden';
    const host = document.querySelector('dialog[open]') ?? document.body;
    const { activeElement } = document;
    host.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return copied;
  }
}

/** `text` may be a function, for texts that take time to make. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setResult((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setResult(null), 2000);
  };
  const status = result === 'copied' ? 'Copied' : result === 'failed' ? 'Select the text and press Ctrl-C' : label;
  return (
    <button type="button" className="button quiet small" onClick={copy} title={status} aria-label={status}>
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      <span className="hidden" role="status">
        {result === null ? '' : status}
      </span>
    </button>
  );
}

/** The command that does the same as the page, with a button that copies it. */
export function Command({ children }: { children: string }) {
  return (
    <div className="command">
      <span className="prompt mono" aria-hidden="true">
        $
      </span>
      <code tabIndex={0}>{children}</code>
      <CopyButton text={children} label="Copy the command" />
    </div>
  );
}
