import { Name } from '../design/name.tsx';
import { bytes } from '../text/numbers.ts';

interface UploadHeaderProps {
  file: File;
  disabled: boolean;
  onBack: () => void;
}

/** The file that was chosen. */
export function UploadHeader({ file, disabled, onBack }: UploadHeaderProps) {
  return (
    <div className="row spread">
      <p>
        <Name>{file.name}</Name> <span className="soft">{bytes(file.size)}</span>
      </p>
      <button type="button" className="button small" disabled={disabled} onClick={onBack}>
        Choose another file
      </button>
    </div>
  );
}
