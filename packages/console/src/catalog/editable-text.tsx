import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { visible, visibleLines } from '../text/visible.ts';
import { BreakGlassField, useIsProtected } from './break-glass.tsx';
import type { CommentChange } from './comment-commands.ts';
import './editable-text.css';

interface EditableTextProps {
  env: string;
  noun: 'comment' | 'description';
  /** Whose comment it is. */
  of: string;
  value: string | null;
  canEdit: boolean;
  commandOf: (change: CommentChange) => string;
  save: (change: CommentChange) => Promise<unknown>;
}

/** A comment that is edited where it is shown. */
export function EditableText(props: EditableTextProps) {
  const { noun, value, canEdit } = props;
  const add = `Add ${noun}`;
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useReturnedFocus(isEditing, button);
  if (isEditing) return <Form {...props} onClose={() => setEditing(false)} />;
  return (
    <div className="editable soft">
      {value === null ? null : <p className="name lines">{visibleLines(value)}</p>}
      {canEdit ? (
        <button
          ref={button}
          type="button"
          className="button quiet small"
          aria-label={`${value === null ? add : `Edit ${noun}`} of ${visible(props.of)}`}
          onClick={() => setEditing(true)}
        >
          {value === null ? add : 'Edit'}
        </button>
      ) : null}
    </div>
  );
}

/** The button that opened the form has the focus again once the form is closed. */
function useReturnedFocus(isEditing: boolean, button: RefObject<HTMLButtonElement | null>): void {
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing, button]);
}

function Form({ env, noun, of, value, commandOf, save, onClose }: EditableTextProps & { onClose: () => void }) {
  const label = `${noun} of ${of}`;
  const [text, setText] = useState(value ?? '');
  const [reason, setReason] = useState('');
  const isProtected = useIsProtected(env);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const change = { text: text === '' ? null : text, breakGlass: isProtected ? reason : undefined };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => save(change),
    onSuccess: () => {
      notify(`Saved the ${label}.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    }
  };
  return (
    <form className="editable-form" onSubmit={submit} onKeyDown={onKeyDown} aria-label={visible(label)}>
      <div className="field">
        <label htmlFor={id} className="hidden">
          {visible(label)}
        </label>
        <textarea
          id={id}
          ref={field}
          className="input"
          rows={3}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="hint">Ctrl-Enter or ⌘-Enter saves, Escape cancels. An empty text removes it.</p>
      </div>
      {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
      {error === null ? null : <ErrorNotice error={error} />}
      <div>
        <Command>{commandOf(change)}</Command>
      </div>
      <div className="row">
        <button type="submit" className="button primary small" disabled={isPending}>
          {isPending ? 'Saving …' : 'Save'}
        </button>
        <button type="button" className="button small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
