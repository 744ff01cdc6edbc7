import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { type OperatorRequest, type ToolContext, ToolSearchError, ToolSearchService } from '@tool-search/core';
import { actorOf } from '../access/actor.js';

/** The operator who decides, and the idempotency key of the request. */
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

const Request = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  execution.switchToHttp().getRequest<object>(),
);

/** Injects the operator who sends the request. */
export const Operator = (): ParameterDecorator => Request(undefined, OperatorOfRequest);

/** Injects the operator who sends the request. Responds `FORBIDDEN` if the context names no user. */
export const Person = (): ParameterDecorator => Request('person', OperatorOfRequest);
