import type { Progress } from './send-file.ts';

interface UploadButtonsProps {
  label: string;
  progress: Progress | null;
  isPending: boolean;
  isReady: boolean;
  onStop: () => void;
}

/** Starts an upload, shows its progress, and stops it. */
export function UploadButtons({ label, progress, isPending, isReady, onStop }: UploadButtonsProps) {
  return (
    <div className="row">
      <button type="submit" className="button primary" disabled={isPending || !isReady}>
        {label}
      </button>
      {progress?.canStop ? (
        <button type="button" className="button" onClick={onStop}>
          Stop
        </button>
      ) : null}
      {progress === null || progress.part === null ? null : (
        <progress className="upload-progress" aria-label={progress.text} value={progress.part} />
      )}
      <span className="soft" role="status">
        {progress?.text ?? ''}
      </span>
    </div>
  );
}
