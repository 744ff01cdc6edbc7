import { Get, Inject, NotFoundException, Param, Query, Req, Res, SetMetadata, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ConsoleFiles } from './console-files.js';
import { GetWithSlash } from './slash-route.js';

interface RequestOfPage {
  readonly url: string;
  /** Set by Express, whose routers shorten `url`. */
  readonly originalUrl?: string;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Metadata of `@ApiExcludeController()` of `@nestjs/swagger`: the page is no route for programs, and never a tool. */
const SWAGGER_EXCLUDES = 'swagger/apiExcludeController';

const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The page of the console and its two files. `ToolConsoleModule` registers it under `path`; or extend it for a path,
 * guards or a version of your own:
 *
 * ```ts
 * @Controller('ops/console')
 * @UseGuards(SessionGuard)
 * export class ConsoleController extends ToolConsoleController {}
 * ```
 */
@SetMetadata(SWAGGER_EXCLUDES, [true])
export abstract class ToolConsoleController {
  @Inject(ConsoleFiles) private readonly files!: ConsoleFiles;
  @Inject(HttpAdapterHost) private readonly host!: HttpAdapterHost;

  /** The page; without the slash at the end, a redirect to it, because its URLs are relative. */
  @GetWithSlash()
  async page(
    @Req() request: RequestOfPage,
    @Res({ passthrough: true }) response: object,
  ): Promise<StreamableFile | void> {
    const [path = ''] = (request.originalUrl ?? request.url).split('?');
    if (path.endsWith('/')) return this.#send(response, 'html', 'text/html; charset=utf-8', 'no-cache');
    this.#headers(response);
    this.host.httpAdapter.redirect(response, 302, `${path.slice(path.lastIndexOf('/') + 1)}/`);
  }

  /** One of the files of the page. */
  @Get(':file')
  async file(
    @Param('file') file: string,
    @Query('v') version: unknown,
    @Res({ passthrough: true }) response: object,
  ): Promise<StreamableFile> {
    if (file !== 'console.js' && file !== 'console.css') throw new NotFoundException('The console has no such file.');
    const kind = file === 'console.js' ? 'script' : 'style';
    const type = kind === 'script' ? 'text/javascript' : 'text/css';
    // During a deployment, an instance of another version may be asked: its file must not be kept under this URL.
    const isThisVersion = version === (await this.files.page()).versions[kind];
    return this.#send(response, kind, `${type}; charset=utf-8`, isThisVersion ? FOREVER : 'no-store');
  }

  async #send(
    response: object,
    file: 'html' | 'script' | 'style',
    type: string,
    caching: string,
  ): Promise<StreamableFile> {
    const content = (await this.files.page())[file];
    this.#headers(response);
    this.host.httpAdapter.setHeader(response, 'Cache-Control', caching);
    return new StreamableFile(content, { type, length: content.length });
  }

  #headers(response: object): void {
    for (const [name, value] of Object.entries(HEADERS)) this.host.httpAdapter.setHeader(response, name, value);
  }
}
