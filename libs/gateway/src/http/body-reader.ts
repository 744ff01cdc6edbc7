import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import type { VersionValue } from '@nestjs/common/interfaces/version-options.interface.js';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import { ToolSearchError } from '@tool-search/core';
import { GATEWAY_SETTINGS, MCP_ENDPOINT } from '../tokens.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { beforeRoutes } from './before-routes.js';
import { readBody } from './request-body.js';

/**
 * Reads the bodies of the gateway's endpoints before the application's body parser.
 */
@Injectable()
export class BodyReader implements OnApplicationBootstrap {
  #isEndpoint: (path: string) => boolean = () => false;

  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: GatewaySettings,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {
    beforeRoutes(host, (request) => this.#read(request));
  }

  /** @throws ToolSearchError `INVALID_CONFIGURATION` if two endpoints have the same path */
  onApplicationBootstrap(): void {
    const prefix = segmentsOf(this.config.getGlobalPrefix());
    const endpoints = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype && Reflect.hasMetadata(MCP_ENDPOINT, metatype) ? [metatype] : []))
      .flatMap((type) => {
        const paths = [Reflect.getMetadata(PATH_METADATA, type) as string | string[]].flat();
        return this.#versionsOf(type).flatMap((version) => paths.map((path) => segmentsOf(`${version}/${path}`)));
      });
    const paths = endpoints.map((segments) => segments.join('/'));
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `Two gateway controllers have the path "${twice}".`, {
        hint: 'Give each endpoint a path of its own.',
      });
    }
    this.#isEndpoint = (path) => {
      const asked = segmentsOf(path);
      return endpoints.some((own) => begins(asked, [...prefix, ...own]) || begins(asked, own));
    };
  }

  /** First segments of a controller's paths: '' where the version is not part of the URL. */
  #versionsOf(type: object): readonly string[] {
    const versioning = this.config.getVersioning();
    if (versioning?.type !== VersioningType.URI) return [''];
    const { prefix = 'v', defaultVersion } = versioning;
    const own = Reflect.getMetadata(VERSION_METADATA, type) as VersionValue | undefined;
    const versions = [own ?? defaultVersion ?? VERSION_NEUTRAL].flat();
    return versions.map((version) => (typeof version === 'string' ? `${prefix || ''}${version}` : ''));
  }

  async #read(request: IncomingMessage): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'POST' && this.#isEndpoint(path)) await readBody(request, this.settings.maxBodyBytes);
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Whether a path is an endpoint, or one of its routes `all` and `p/:profile`. A segment `:name` matches any. */
function begins(asked: readonly string[], endpoint: readonly string[]): boolean {
  const matches = endpoint.every((segment, index) => {
    const given = asked[index];
    if (given === undefined) return false;
    return segment.startsWith(':') || segment.toLowerCase() === given.toLowerCase();
  });
  const [route, profile, ...more] = asked.slice(endpoint.length);
  if (!matches || more.length > 0) return false;
  return route === undefined || (route === 'all' && profile === undefined) || (route === 'p' && profile !== undefined);
}
