import { refusal } from './refusal.ts';
import type { World } from './world.ts';

/** The second factor of the one person of the world. Its code is always 123456. */
export interface FactorRecord {
  since: string | null;
  recoveryCodesLeft: number;
  required: boolean;
  available: boolean;
}

export interface SessionRecord {
  id: string;
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  method: 'PASSWORD' | 'LINK' | 'PROVIDER';
  address: string;
  agent: string;
}

export const theCode = '123456';
export const theSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
/** Not a real one: only something to draw. */
export const theQr = Array.from({ length: 33 }, (_, y) =>
  Array.from({ length: 33 }, (_, x) =>
    (x * 7 + y * 13 + ((x * y) % 5)) % 3 === 0 ? '1' : '0',
  ).join(''),
);
export const theRecoveryCodes = Array.from({ length: 10 }, (_, i) => `mzxw-6ytb-oi${i}a-q2lk`);

export const makeFactor = (): FactorRecord => ({
  since: null,
  recoveryCodesLeft: 0,
  required: false,
  available: true,
});

export const makeSessions = (): SessionRecord[] => {
  const at = { createdAt: '2026-11-20T07:00:00Z', expiresAt: '2026-11-27T07:00:00Z' };
  const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605.1.15 Version/19.0 Safari/604.1';
  return [
    {
      id: 's1',
      current: true,
      lastSeenAt: '2026-11-20T08:00:00Z',
      method: 'PASSWORD',
      address: '192.0.2.7',
      agent: linux,
      ...at,
    },
    {
      id: 's2',
      current: false,
      lastSeenAt: '2026-11-20T07:30:00Z',
      method: 'LINK',
      address: '2001:db8::17',
      agent: phone,
      ...at,
    },
  ];
};

/** The mutations about it. */
export function factorMutations(world: World) {
  const { factor } = world;
  const wrong = (password: string) =>
    password === world.password
      ? null
      : [
          refusal('INVALID', 'currentPassword is wrong; type the present password.', [
            'currentPassword',
          ]),
        ];
  const codes = (userErrors: object[] | null) => ({
    recoveryCodes: userErrors ? null : theRecoveryCodes,
    secondFactor: userErrors ? null : factor,
    userErrors: userErrors ?? [],
  });
  return {
    beginSecondFactor: ({ currentPassword }: { currentPassword: string }) => {
      const userErrors = wrong(currentPassword);
      if (userErrors) return { userErrors };
      return { secret: theSecret, uri: 'otpauth://totp/x', qr: theQr, userErrors: [] };
    },
    confirmSecondFactor: ({ code }: { code: string }) => {
      if (code !== theCode) {
        return codes([refusal('INVALID', 'The code is wrong or was used already.', ['code'])]);
      }
      factor.since = world.now().toISOString();
      factor.recoveryCodesLeft = 10;
      return codes(null);
    },
    renewRecoveryCodes: ({ currentPassword }: { currentPassword: string }) => {
      const userErrors = wrong(currentPassword);
      if (!userErrors) factor.recoveryCodesLeft = 10;
      return codes(userErrors);
    },
    removeSecondFactor: ({ currentPassword }: { currentPassword: string }) => {
      const userErrors = wrong(currentPassword);
      if (!userErrors) factor.since = null;
      return { secondFactor: factor, userErrors: userErrors ?? [] };
    },
  };
}
