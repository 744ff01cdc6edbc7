import {
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  type INestApplication,
  Scope,
  SetMetadata,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { of } from 'rxjs';
import { GuardRecheck } from './guard-recheck.js';

const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);

/** What guards answer, and what they were asked about. */
@Injectable()
class Doorman {
  isOpen = true;
  readonly asked: ExecutionContext[] = [];
}

@Injectable()
class PlainGuard implements CanActivate {
  constructor(@Inject(Doorman) private readonly doorman: Doorman) {}

  canActivate(execution: ExecutionContext) {
    this.doorman.asked.push(execution);
    execution.switchToHttp().getResponse<{ setHeader?: (name: string, value: string) => void }>().setHeader?.('x', 'y');
    return of(this.doorman.isOpen);
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard extends PlainGuard {
  constructor(
    @Inject(Doorman) doorman: Doorman,
    @Inject(REQUEST) readonly request: unknown,
  ) {
    super(doorman);
  }
}

/** Ways to declare a guard: on the controller, on its handler, and for the whole application. */
const WAYS: Record<string, { class?: Type<CanActivate>; handler?: Type<CanActivate>; app?: Type<CanActivate> }> = {
  'of the controller': { class: PlainGuard },
  'of the handler': { handler: PlainGuard },
  'of the application': { app: PlainGuard },
  'of the controller, for one request': { class: RequestGuard },
  'of the application, for one request': { app: RequestGuard },
};

describe.each(['express', 'fastify'])('GuardRecheck on %s', (adapter) => {
  describe.each(Object.entries(WAYS))('asks a guard %s', (_, way) => {
    let app: INestApplication;
    let execution: ExecutionContext | undefined;
    let url: string;

    beforeAll(async () => {
      const handlerGuards = way.handler ? [way.handler] : [];
      @Controller('door')
      @UseGuards(...(way.class ? [way.class] : []))
      class DoorController {
        @Get()
        @UseGuards(...handlerGuards)
        @SetMetadata('own', 'metadata')
        open(@Execution() own: ExecutionContext): string {
          execution = own;
          return 'open';
        }
      }
      const module = await Test.createTestingModule({
        controllers: [DoorController],
        providers: [Doorman, GuardRecheck, ...(way.app ? [{ provide: APP_GUARD, useClass: way.app }] : [])],
      }).compile();
      app = adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
      await app.listen(0, '127.0.0.1');
      url = `${await app.getUrl()}/door`;
    });
    afterAll(() => app.close());

    it('again, and is refused once it refuses', async () => {
      const doorman = app.get(Doorman);
      const recheck = app.get(GuardRecheck);
      expect(await (await fetch(url)).text()).toBe('open');
      expect(doorman.asked).toHaveLength(1);
      await recheck.run(execution!);
      expect(doorman.asked).toHaveLength(2);
      const handler = doorman.asked[1]!.getHandler();
      expect(Reflect.getMetadata('own', handler)).toBe('metadata');
      expect(doorman.asked[1]!.getClass()).toBe(doorman.asked[0]!.getClass());
      doorman.isOpen = false;
      await expect(recheck.run(execution!)).rejects.toMatchObject({ status: 403 });
    });
  });
});
