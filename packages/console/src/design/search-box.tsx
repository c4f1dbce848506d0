import { useEffect, useState } from 'react';
import { Icon } from './icons.tsx';

interface SearchBoxProps {
  value: string;
  label: string;
  onChange: (value: string) => void;
}

/** A field whose text is a part of the address. It reports the text when typing pauses. */
export function SearchBox({ value, label, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value);
  // Back and forward change the address.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 180);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <div className="searchbox">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        placeholder={label}
        aria-label={label}
        value={text}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
