import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

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
