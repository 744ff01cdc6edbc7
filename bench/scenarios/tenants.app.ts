import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { RequestToolbox, TenantSources, Toolbox, ToolSearchModule } from '@tool-search/core';
import type { Request } from 'express';
import { EchoSource } from '../isolation/isolation.app.js';
import { OWN, ownTools, SHARED, sharedTools } from '../isolation/tenant-tools.js';

@Controller()
class TenantController {
  constructor(@Inject(TenantSources) private readonly sources: TenantSources) {}

  @Post('search')
  @HttpCode(200)
  search(@RequestToolbox() toolbox: Toolbox, @Body() body: object) {
    return toolbox.search(body);
  }

  @Post('call')
  @HttpCode(200)
  call(@RequestToolbox() toolbox: Toolbox, @Body() { name, args }: { name: string; args: object }) {
    return toolbox.call(name, args);
  }

  /** A tenant normally stays loaded for ten seconds after its last request, longer than a run should take. */
  @Post('leave')
  @HttpCode(200)
  async leave(@Body() { tenant }: { tenant: string }) {
    await this.sources.forget(tenant);
    return {};
  }
}

/** An application whose tenants have shared tools and, with `hasOwn`, five tools of their own each. */
export function tenantsModule(hasOwn: boolean, maxTenants: number) {
  const load = (id: string) => [new EchoSource(OWN, id, () => ownTools(id).slice(1))];
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Request) => ({ tenantId: request.header('x-tenant') ?? '', userId: 'ada', runId: 'one' }),
        sources: [new EchoSource(SHARED, '', () => sharedTools(false))],
        exposure: 'deferred',
        ...(hasOwn && { tenantSources: { load, maxTenants } }),
      }),
    ],
    controllers: [TenantController],
  })
  class TenantsModule {}
  return TenantsModule;
}
