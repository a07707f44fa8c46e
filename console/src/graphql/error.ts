import type { CombinedError } from 'urql';

/** An error as people see it. */
export interface ErrorView {
  /** UNAUTHENTICATED, NOT_FOUND, FORBIDDEN, LIMIT, INTERNAL, …; NETWORK or HTTP when the server gave none. */
  code: string;
  /** The server's own sentence; empty when there is none. */
  message: string;
  /** Status of the HTTP answer; null without one. */
  status: number | null;
  /** What the operator finds in the server's log; null without one. */
  requestId: string | null;
}

/** Reads what the server said out of urql's error. */
export function describeError(error: CombinedError): ErrorView {
  const first = error.graphQLErrors[0];
  if (first) {
    const { code, requestId } = first.extensions;
    return {
      code: typeof code === 'string' ? code : 'INTERNAL',
      message: first.message,
      status: null,
      requestId: typeof requestId === 'string' ? requestId : null,
    };
  }
  const status = (error.response as Response | undefined)?.status ?? null;
  const refused = status !== null && status >= 400;
  return { code: refused ? 'HTTP' : 'NETWORK', message: '', status, requestId: null };
}

/** The code of the first error. */
export function errorCode(error: CombinedError): string {
  return describeError(error).code;
}
