import { ValidateIf } from 'class-validator';

/** A field that may be left out; unlike class-validator's own rule, `null` is not left out. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);
