import { ApiProperty } from '@nestjs/swagger';
import type { OperatorRequest } from '@tool-search/core/operators';
import { IsString } from 'class-validator';
import { OptionalInteger, OptionalText, OptionalWholeNumber } from './validation.decorators.js';

/** The reason, required for every change. The core library checks its length. */
export class ReasonBody implements Pick<OperatorRequest, 'reason'> {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'refunds twice since the deploy of 14:00' })
  @IsString()
  readonly reason: string;
}

/** A change that may name the revision it is based on. */
export class ChangeBody extends ReasonBody implements Pick<OperatorRequest, 'expectedRevision'> {
  @OptionalInteger(
    {
      example: 12,
      description: 'The revision as you saw it, 0 if there was none; a conflict if it has changed since.',
    },
    0,
  )
  readonly expectedRevision?: number;
}

/** Query of a route for one record. */
export class TenantQuery {
  @OptionalText({ example: 'acme', description: 'Only if the record is of this tenant; otherwise it is not found.' })
  readonly tenantId?: string;
}

/** Query of a route that removes a decision. Not a body, because many clients send none with DELETE. */
export class RemovalQuery {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the incident is over' })
  @IsString()
  readonly reason: string;

  @OptionalWholeNumber({ example: 12, description: 'The revision as you saw it.' }, 0)
  readonly expectedRevision?: number;
}
