import { Logger } from '@nestjs/common';
import { decodeJwt, errors, type FlattenedJWSInput, type JWTHeaderParameters, jwtVerify } from 'jose';
import type { AccessTokenClaims, OAuthSettings } from './auth-options.js';
import { IssuerKeys, KeysUnavailable } from './issuer-keys.js';
import { IssuerMetadata } from './issuer-metadata.js';

const MAX_TOKEN_CHARS = 16_384;

/** A token that does not count. The message is for the client and contains nothing of the token. */
export class InvalidToken extends Error {}

/** Checks access tokens in the form of JWTs (RFC 9068). */
export class AccessTokenVerifier {
  readonly #logger = new Logger('ToolGateway');
  readonly #metadata: IssuerMetadata;
  readonly #keys: ReadonlyMap<string, IssuerKeys>;
  readonly #types: ReadonlySet<string>;

  constructor(private readonly settings: OAuthSettings) {
    this.#metadata = new IssuerMetadata(settings);
    this.#types = new Set(settings.types.map(typeOf));
    this.#keys = new Map(
      settings.issuers.map((issuer) => {
        const onFailure = (error: unknown) => this.#logger.warn(`No keys of ${issuer}: ${reasonOf(error)}`);
        return [issuer, new IssuerKeys({ ...settings.jwks, fetch: () => this.#metadata.keysOf(issuer), onFailure })];
      }),
    );
  }

  /**
   * The claims of a token that one of the issuers has signed for one of these audiences, and that is valid now.
   *
   * @throws InvalidToken; KeysUnavailable
   */
  async verified(token: string, audience: readonly string[]): Promise<AccessTokenClaims> {
    if (token.length > MAX_TOKEN_CHARS) throw new InvalidToken('The token is too long.');
    try {
      const { iss } = decodeJwt(token);
      // Not checked yet: it only chooses whose keys can verify it.
      const keys = iss === undefined ? undefined : this.#keys.get(iss);
      if (iss === undefined || !keys) throw new InvalidToken('The token is of an issuer that does not count here.');
      const { algorithms, clockToleranceMs } = this.settings;
      const { payload, protectedHeader } = await jwtVerify(
        token,
        (header: JWTHeaderParameters, jws: FlattenedJWSInput) => keys.keyOf(header, jws),
        {
          issuer: iss,
          audience: [...audience],
          algorithms: [...algorithms],
          clockTolerance: clockToleranceMs / 1000,
          requiredClaims: ['exp'],
        },
      );
      if (!this.#types.has(typeOf(protectedHeader.typ ?? ''))) throw new InvalidToken('This is no access token.');
      // RFC 7800: it counts only together with a proof of its key, which is not asked for here.
      if (payload['cnf'] !== undefined) throw new InvalidToken('The token is bound to a key: send a bearer token.');
      return payload as AccessTokenClaims;
    } catch (error) {
      if (error instanceof InvalidToken || error instanceof KeysUnavailable) throw error;
      throw new InvalidToken(faultOf(error));
    }
  }

  close(): Promise<void> {
    return this.#metadata.close();
  }
}

/** The scopes of a token: `scope` (RFC 9068), or `scp`, which some authorization servers use. */
export function scopesOf({ scope, scp }: AccessTokenClaims): ReadonlySet<string> {
  return new Set(
    [scope, scp]
      .flat()
      .filter((each) => typeof each === 'string')
      .flatMap((each) => each.split(' ')),
  );
}

// RFC 7515, section 4.1.9: case does not matter, and "application/" may be left out.
function typeOf(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another resource.';
    if (error.claim === 'nbf') return 'The token is not valid yet.';
  }
  return 'The token is not valid.';
}

/** The reason of a failed request, with its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
}
