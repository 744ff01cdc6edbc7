import type { ValueTransformer } from 'typeorm';

/** Converts epoch milliseconds of a bigint column: PostgreSQL returns a string, SQLite a number. */
export const epochMillis: ValueTransformer = { to: (value: unknown) => value, from: Number };
