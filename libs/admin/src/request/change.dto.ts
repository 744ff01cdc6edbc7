import { ApiProperty } from '@nestjs/swagger';
import type { StoredDecision } from '@tool-search/core/internal';
import type { OperatorRequest } from '@tool-search/core/operators';
import { IsString } from 'class-validator';
import type { Every } from './every.js';
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

/** What every stored decision says of the operator who made it. */
export class StoredDecisionAnswer implements Every<StoredDecisionAnswer, StoredDecision> {
  @ApiProperty({ example: 'refunds are slow today' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly changedAt: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

/** The answer of a route that removes a decision. */
export class RemovedAnswer {
  @ApiProperty({ description: 'The control revision since which it is gone.', example: 13 }) readonly revision: number;
}

/** Query of a route that removes a decision. Not a body, because many clients send none with DELETE. */
export class RemovalQuery implements Pick<OperatorRequest, 'reason' | 'expectedRevision'> {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the incident is over' })
  @IsString()
  readonly reason: string;

  @OptionalWholeNumber({ example: 12, description: 'The revision as you saw it.' }, 0)
  readonly expectedRevision?: number;
}
