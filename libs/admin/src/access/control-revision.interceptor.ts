import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ControlPlane } from '@tool-search/core';
import { type Observable, tap } from 'rxjs';

/**
 * Adds the header `X-Control-Revision` to the response of a change: the control revision since which the change
 * applies.
 */
@Injectable()
export class ControlRevisionInterceptor implements NestInterceptor {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(ControlPlane) private readonly plane: ControlPlane,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler<{ readonly revision?: number }>): Observable<unknown> {
    return next.handle().pipe(
      tap(({ revision = this.plane.health().revision }) => {
        const response = execution.switchToHttp().getResponse<unknown>();
        this.host.httpAdapter.setHeader(response, 'X-Control-Revision', String(revision));
      }),
    );
  }
}
