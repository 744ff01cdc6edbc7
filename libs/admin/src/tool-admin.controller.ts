import { ApiTags } from '@nestjs/swagger';
import { UsageRoutes } from './usage/usage.routes.js';

/**
 * All operator routes. The application extends this class, sets its path and authenticates the caller. The caller's
 * context needs `admin: true`; otherwise each route responds `FORBIDDEN`:
 *
 * ```ts
 * @Controller('admin/tools')
 * @UseGuards(AuthGuard)
 * export class ToolsController extends ToolAdminController {}
 * ```
 *
 * Additional and overriding routes of the subclass need `@AdminRead` or `@AdminWrite`; without it the boot fails.
 */
@ApiTags('tool admin')
export abstract class ToolAdminController extends UsageRoutes {}
