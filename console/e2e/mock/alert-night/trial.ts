import { ago } from './when.ts';

/** What a rule would have sent in the last week. */
export function trialOfWeek(): object {
  const entry = (hoursAgo: number, over: object) => ({
    at: ago(hoursAgo),
    channel: 'ops-dingtalk',
    severity: 'CRITICAL',
    digest: false,
    sent: true,
    title: 'reconcile-payments failed after 3 attempts',
    problems: 1,
    ...over,
  });
  return {
    events: '1298',
    incidents: 6,
    messages: 9,
    suppressed: 2,
    coveredFrom: ago(7 * 24),
    entries: [
      entry(150, {}),
      entry(149, { title: 'Nobody acknowledged: reconcile-payments', channel: 'team-mail' }),
      entry(124, {
        channel: 'team-mail',
        severity: 'WARNING',
        digest: true,
        title: 'close-unpaid-orders fails now and then',
        problems: 4,
      }),
      entry(76, {
        channel: 'team-mail',
        severity: 'INFO',
        digest: true,
        title: 'close-unpaid-orders fails now and then',
      }),
      entry(4, {}),
    ],
    error: null,
  };
}
