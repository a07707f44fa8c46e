import type { World } from './world.ts';

export interface FindingRecord {
  code: string;
  severity: 'HIGH' | 'MEDIUM' | 'LOW';
  what: string;
  remedy: string;
  subjects: string[];
  count: number;
}

export const makeFinding = (
  code: string,
  severity: FindingRecord['severity'],
  subjects: string[] = [],
  count = subjects.length,
): FindingRecord => ({
  code,
  severity,
  what: `${code} in the server's words.`,
  remedy: 'Mend it.',
  subjects,
  count,
});

/** What a young installation has. */
export function addFindings(world: World): void {
  world.findings = [
    makeFinding('NO_TLS', 'HIGH'),
    makeFinding('ADMIN_ONE_FACTOR', 'MEDIUM', ['ada', 'wang.wei']),
    makeFinding('ALLOW_LIST_WIDE', 'MEDIUM', ['10.0.0.0/8']),
    makeFinding('TOKEN_WITHOUT_END', 'MEDIUM', ['grafana', 'release pipeline']),
    makeFinding('ADMIN_SINGLE', 'LOW', ['ada']),
    makeFinding('CLOCK_OFF', 'LOW', ['belfry-2.internal:7000 (812ms)']),
  ];
}

/** More of each kind than is named. */
export function addManyFindings(world: World): void {
  const names = Array.from({ length: 20 }, (_, i) => `token-of-a-very-long-name-${100 + i}`);
  world.findings = [
    makeFinding('DATABASE_NO_PASSWORD', 'HIGH', ['belfry']),
    makeFinding('REDIS_NO_PASSWORD', 'HIGH', ['cache-1:6379', 'cache-2:6379', 'cache-3:6379']),
    makeFinding('DATABASE_NO_TLS', 'MEDIUM', ['db.internal']),
    makeFinding('SECRET_KEY_OLD', 'MEDIUM', [], 40),
    makeFinding('TOKEN_UNUSED', 'MEDIUM', names, 417),
    makeFinding('APP_KEY_OLD', 'LOW', ['shop (bfk_Zk3…)', 'billing (bfk_9aQ…)']),
    makeFinding('DATABASE_ROOT', 'LOW', ['root']),
    makeFinding('REDIS_NO_TLS', 'LOW', ['cache-1:6379', 'cache-2:6379', 'cache-3:6379']),
  ];
}
