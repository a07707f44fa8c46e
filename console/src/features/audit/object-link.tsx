import { Link } from '@tanstack/react-router';
import type { AuditRowFragment } from '@/graphql/generated/graphql';
import { useWords } from './words';

/** The object of a change, linked to its page where it has one. */
export function ObjectLink({ entry }: { entry: AuditRowFragment }) {
  const words = useWords();
  const name = entry.name || entry.object || words.kind(entry.kind);
  const id = entry.object;
  if (!id) return <span>{name}</span>;
  switch (entry.kind) {
    case 'job':
      return (
        <Link to="/jobs/$jobId" params={{ jobId: id }}>
          {name}
        </Link>
      );
    case 'task':
      return (
        <Link to="/tasks/$taskId" params={{ taskId: id }}>
          {name}
        </Link>
      );
    case 'user':
      return (
        <Link to="/users/$userId" params={{ userId: id }}>
          {name}
        </Link>
      );
    case 'app':
      return entry.app ? (
        <Link to="/apps/$appName" params={{ appName: entry.app.name }}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      );
    default:
      return <span>{name}</span>;
  }
}
