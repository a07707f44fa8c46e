export const hour = 3_600_000;
export const iso = (ms: number) => new Date(ms).toISOString();
/** The instant so many hours ago; of the future with a number below zero. */
export const ago = (hours: number) => iso(Date.now() - hours * hour);

/** What a database that is away makes the driver say. */
export const refused = 'dial tcp 10.0.4.21:3306: connect: connection refused';
