import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { type ToolContext, ToolSearchError, ToolSearchService } from '@tool-search/core';
import type { OperatorRequest } from '@tool-search/core/operators';
import { type OperatorAccess, operatorAccess } from '../access/operator-access.js';

export type OperatorIdentity = Pick<OperatorRequest, 'actor' | 'idempotencyKey'>;

/** An operator with a user id. `by` is compared with the user who requested the approval. */
export type PersonIdentity = OperatorIdentity & { readonly by: Pick<ToolContext, 'tenantId' | 'userId'> };

interface RequestWithHeaders {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

@Injectable()
class OperatorOfRequest implements PipeTransform<RequestWithHeaders, Promise<OperatorIdentity | PersonIdentity>> {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  async transform(request: RequestWithHeaders, { data }: ArgumentMetadata): Promise<OperatorIdentity | PersonIdentity> {
    const context = await this.service.forRequest(request).context();
    const { tenantId, userId } = context;
    if (data === 'person' && userId === undefined) {
      throw new ToolSearchError('FORBIDDEN', 'Only a person may decide this, and this request names none.', {
        hint: 'Let the context of operators name a userId.',
      });
    }
    const idempotencyKey = request.headers['idempotency-key'];
    return {
      actor: actorOf(context),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(data === 'person' && { by: { tenantId, userId } }),
    };
  }
}

@Injectable()
class AccessOfRequest implements PipeTransform<object, Promise<OperatorAccess>> {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  async transform(request: object): Promise<OperatorAccess> {
    // A route without the guard must not answer as if everything were allowed.
    return operatorAccess(await this.service.forRequest(request).context()) ?? { tenants: [], readOnly: true };
  }
}

const Request = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  execution.switchToHttp().getRequest<object>(),
);

/**
 * Returns the operator's name for the audit trail: `user@tenant`, because two tenants may have users of the same name;
 * `@tenant` if the context names no user.
 */
export function actorOf({ userId = '', tenantId }: ToolContext): string {
  return `${userId}@${tenantId}`;
}

export const Operator = (): ParameterDecorator => Request(undefined, OperatorOfRequest);

/** Injects what the operator who sends the request may see and change. */
export const Access = (): ParameterDecorator => Request(undefined, AccessOfRequest);

/** Injects the operator who sends the request. Responds `FORBIDDEN` if the context names no user. */
export const Person = (): ParameterDecorator => Request('person', OperatorOfRequest);
