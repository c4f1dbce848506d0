import { useEffect } from 'react';

/** Receives a file that is dropped anywhere on the page, which a browser would open otherwise. */
export function useFileDrop(isEnabled: boolean, onFile: (file: File) => void): void {
  useEffect(() => {
    if (!isEnabled) return;
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, [isEnabled, onFile]);
}
