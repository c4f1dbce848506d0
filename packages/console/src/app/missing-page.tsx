import { Link } from '@tanstack/react-router';
import { Empty } from '../design/states.tsx';

export function MissingPage() {
  return (
    <Empty icon="search" title="There is no such page">
      The address may be from another version of the console.{' '}
      <Link to="/" className="link">
        Go to the first page
      </Link>
    </Empty>
  );
}
