import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** A whole number from `min` to `max` in a query, where everything is text. */
export function WholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): PropertyDecorator {
  return applyDecorators(
    // Digits alone: '' and '1e3' are no numbers that anybody means.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    IsInt(),
    Min(min),
    Max(max),
  );
}
