import { ValidateIf } from 'class-validator';

/** Marks an optional field. Unlike class-validator's `@IsOptional()`, it rejects `null`. */
export const IsOptionalButNotNull = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);
