import type { ValueTransformer } from 'typeorm';

/** Converts epoch milliseconds of a bigint column: PostgreSQL returns a string, SQLite a number. */
export const epochMillis: ValueTransformer = { to: (value: unknown) => value, from: Number };

/** Converts a bigint column that may be null. */
export const wholeOrNull: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

/** JSON in a text column. */
export const json: ValueTransformer = {
  to: (value: unknown) => (value === null ? null : JSON.stringify(value)),
  from: (text: string | null): unknown => (text === null ? null : JSON.parse(text)),
};
