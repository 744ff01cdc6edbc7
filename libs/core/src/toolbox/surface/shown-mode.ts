import type { Caller } from '../../access/tool-gate.js';
import type { ToolboxRequest } from '../toolbox-request.js';
import type { Exposure, ExposureChoice, ExposureMode, SettledExposure, SurfaceRequest } from './surface.js';
import type { ToolView } from '../tool-views.js';

/** How one toolbox is shown to its model. */
export class ShownMode {
  #last: ExposureMode | undefined;

  constructor(
    private readonly exposure: Exposure,
    /** The setting with which the toolbox was opened. */
    private readonly own: ExposureChoice | undefined,
    private readonly request: ToolboxRequest,
  ) {}

  /** The mode for a surface that is shown now. @throws ToolSearchError `INVALID_REQUEST` for an invalid mode */
  settled({ context }: Caller, view: ToolView, request: SurfaceRequest = {}): SettledExposure {
    return this.exposure.settle(request, context, this.own, view.tools());
  }

  show(mode: ExposureMode): void {
    this.#last = mode;
  }

  /** The mode that was shown last; before the first surface, the mode to assume. */
  last({ context }: Caller): ExposureMode {
    return this.#last ?? this.exposure.assumed(context, this.own);
  }

  /** Whether the model is shown all tools, so that none has to be offered. */
  async listsAll(caller: Caller): Promise<boolean> {
    const mode = this.#last ?? this.settled(caller, await this.request.view(caller)).mode;
    return mode === 'all';
  }
}
