import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Following, newAttempt, type Progress } from './send-file.ts';

interface UploadHandlers<R> {
  readonly run: (following: Following) => Promise<R>;
  /** Also if the page has been left. */
  readonly onSettled: () => void;
}

/** An upload with its progress. It continues if the page is left within the console, and can be stopped while the file is sent. */
export function useUpload<R>({ run, onSettled }: UploadHandlers<R>) {
  const attempt = useRef(newAttempt());
  const stop = useRef(new AbortController());
  const [progress, setProgress] = useState<Progress | null>(null);
  const { mutate, error, isPending, data, reset } = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return run({ attempt: attempt.current, signal: stop.current.signal, report: setProgress });
    },
    onSettled,
  });
  useEffect(() => {
    if (!isPending) return;
    // Closing the tab would end the upload.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isPending]);
  return {
    start: (onDone: (result: R) => void) => {
      if (!isPending) mutate(undefined, { onSuccess: onDone });
    },
    stop: () => stop.current.abort(new Error('Stopped. Nothing was loaded.')),
    reset,
    progress: isPending ? progress : null,
    isPending,
    error,
    data,
  };
}
