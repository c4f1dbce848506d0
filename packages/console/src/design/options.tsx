/** The choices of a select: texts, or values with their texts. */
export function Options({ of }: { of: readonly (string | readonly [value: string, text: string])[] }) {
  return of.map((choice) => {
    const [value, text] = typeof choice === 'string' ? [choice, choice] : choice;
    return (
      <option key={value} value={value}>
        {text}
      </option>
    );
  });
}
