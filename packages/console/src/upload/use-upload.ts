import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { notify } from '../design/toasts.tsx';
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
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return run({ attempt: attempt.current, signal: stop.current.signal, report: setProgress });
    },
    onError: (failed) => {
      if (!isShown.current) notify(`The upload failed: ${failed.message}`);
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
    progress: isPending ? progress : null,
    isPending,
    /** The service is loading the rows, or has loaded them, so the choices can't be changed any more. */
    isStarted: attempt.current.started !== null,
    error,
  };
}
