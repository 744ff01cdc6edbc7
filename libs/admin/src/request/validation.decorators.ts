import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Length, Max, Min, ValidateIf } from 'class-validator';

/** Marks an optional field. Unlike class-validator's `@IsOptional()`, it rejects `null`. */
export const IsOptionalButNotNull = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

export const IsOptionalText = (maxLength = 256): PropertyDecorator =>
  applyDecorators(Length(1, maxLength), IsString(), IsOptionalButNotNull());

/** Validates an integer from `min` to `max` in a query, where every value is text. */
export function WholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): PropertyDecorator {
  return applyDecorators(
    // Digits only: Number() would accept '' and '1e3' as well.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    IsInt(),
    Min(min),
    Max(max),
  );
}
