import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Endpoints } from '../endpoint.js';
import { beforeRoutes } from '../http/before-routes.js';
import { refusalOfError } from '../http/refusal-of-error.js';
import { GATEWAY_SETTINGS } from '../tokens.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { metadataAt } from './resource-metadata.js';

/**
 * Serves the metadata of protected resources. Not by a controller: their path begins at the host, whatever prefix the
 * application's routes have, and no global guard may ask for the token that they are needed to get.
 */
@Injectable()
export class MetadataRoute {
  readonly #logger = new Logger('ToolGateway');

  constructor(
    @Inject(GATEWAY_SETTINGS) settings: GatewaySettings,
    @Inject(Endpoints) endpoints: Endpoints,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    if (!settings.oauth) return;
    beforeRoutes(host, ({ method, url = '' }) => {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      try {
        const metadata = metadataAt(url.split('?')[0] ?? '', settings, endpoints);
        if (!metadata) return undefined;
        const headers = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };
        return Response.json(metadata, { headers });
      } catch (error) {
        return refusalOfError(error, this.#logger).response();
      }
    });
  }
}
