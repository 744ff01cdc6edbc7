import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsString, Length, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';

/** Marks an optional field. Unlike class-validator's `@IsOptional()`, it rejects `null`. */
export const IsOptionalButNotNull = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

export const OptionalString = (docs: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(IsString(), IsOptionalButNotNull(), ApiPropertyOptional(docs));

export const OptionalText = (docs: ApiPropertyOptions, maxLength = 256): PropertyDecorator =>
  applyDecorators(Length(1, maxLength), OptionalString(docs));

export const OptionalTextOrEmpty = (docs: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(MaxLength(256), OptionalString(docs));

export const OptionalOneOf = (values: readonly string[], enumName: string): PropertyDecorator =>
  applyDecorators(IsIn(values), IsOptionalButNotNull(), ApiPropertyOptional({ enum: [...values], enumName }));

/** Validates an integer of a body. */
export const OptionalInteger = (docs: ApiPropertyOptions, min: number): PropertyDecorator =>
  applyDecorators(Min(min), IsInt(), IsOptionalButNotNull(), ApiPropertyOptional(docs));

/** Validates the revision that a change must name. One message for every fault, since the most frequent one is that it is missing. */
export const SeenRevision = (description: string): PropertyDecorator => {
  const message = '$property must be given: the revision as you saw it, a whole number';
  return applyDecorators(Min(0, { message }), IsInt({ message }), ApiProperty({ example: 12, description }));
};

/** Validates an integer of a query; see {@link WholeNumber}. */
export const OptionalWholeNumber = (docs: ApiPropertyOptions, min: number, max?: number): PropertyDecorator =>
  applyDecorators(WholeNumber(min, max), IsOptionalButNotNull(), ApiPropertyOptional(docs));

/** Validates the reason of a change that the core library does not check. */
export const GivenReason = (example: string): PropertyDecorator =>
  applyDecorators(
    Matches(/\S/, { message: 'reason must say why' }),
    Length(1, 1000),
    IsString(),
    ApiProperty({ minLength: 1, maxLength: 1000, example }),
  );

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
