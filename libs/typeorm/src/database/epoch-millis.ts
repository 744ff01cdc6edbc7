import type { ValueTransformer } from 'typeorm';

/** Epoch milliseconds in a bigint column: PostgreSQL hands them over as a string, SQLite as a number. */
export const epochMillis: ValueTransformer = { to: (value: unknown) => value, from: Number };
