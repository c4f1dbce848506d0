import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { catalogCompletion, keywordCompletion } from './completion.ts';
import { editorTheme } from './editor-theme.ts';
import type { Range } from './error-range.ts';
import { inEditor } from './line-endings.ts';

export interface EditorProps {
  env: string;
  value: string;
  onChange: (sql: string) => void;
  onRun: () => void;
  error: { readonly range: Range; readonly message: string } | null;
}

/** Marks a change that the page makes: its text is known. */
const FromPage = Annotation.define<true>();

/** What the extensions call: the current functions, though they are made once. */
type Handlers = Pick<EditorProps, 'onChange' | 'onRun'>;

function extensionsOf(env: string, handlers: { readonly current: Handlers }): Extension {
  const run = () => {
    handlers.current.onRun();
    return true;
  };
  return [
    keymap.of([{ key: 'Mod-Enter', run }]),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    sql({ dialect: PostgreSQL }),
    autocompletion({ override: [catalogCompletion(env), keywordCompletion], icons: false }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
    placeholder('SELECT * FROM …'),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'SQL statement', spellcheck: 'false' }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged && !transactions.some((change) => change.annotation(FromPage)))
        handlers.current.onChange(state.doc.toString());
    }),
    editorTheme,
  ];
}

/**
 * The editor. It is in a shadow tree, where its styles are constructed style sheets: the page's policy allows no style elements.
 */
export default function Editor({ env, value, onChange, onRun, error }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const handlers = useRef<Handlers>({ onChange, onRun });
  const first = useRef(value);
  handlers.current = { onChange, onRun };

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const state = EditorState.create({ doc: first.current, extensions: extensionsOf(env, handlers) });
    const view = new EditorView({ state, parent: root, root });
    editor.current = view;
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, [env]);

  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === inEditor(value)) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, annotations: FromPage.of(true) });
  }, [value]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const isInside = error !== null && error.range.to <= view.state.doc.length;
    const marks = isInside ? [{ ...error.range, severity: 'error' as const, message: error.message }] : [];
    view.dispatch(setDiagnostics(view.state, marks));
  }, [error]);

  return <div className="editor" ref={host} />;
}
