/** Why a sign-in by the identity provider failed, as it stands in the address. */
export const refusals = ['failed', 'forbidden', 'unavailable', 'limit'] as const;
export type Refusal = (typeof refusals)[number];
