import { z } from 'zod'
import { flagType, setting } from './setting.ts'

/** What an operator sees of a running server: docs/operating.md under "Seeing it run". */
export const watchSettings = {
  log_level: setting<'debug' | 'info' | 'warn' | 'error'>({
    env: 'WORKSPACE_LOG_LEVEL',
    flag: '--log-level <level>',
    type: z.enum(['debug', 'info', 'warn', 'error']),
    default: 'info',
    help: 'The least that is logged: debug, with a line for each call, info, warn or error.',
  }),
  access_log: setting({ env: 'WORKSPACE_ACCESS_LOG', flag: '--access-log <yes|no>', type: flagType, default: false, help: 'Whether each HTTP request is a line of the log.' }),
  metrics: setting<'off' | 'loopback' | 'token'>({
    env: 'WORKSPACE_METRICS',
    flag: '--metrics <off|loopback|token>',
    type: z.enum(['off', 'loopback', 'token']),
    default: 'off',
    help: 'Who may read /metrics: nobody, programs of this machine, or whoever sends the metrics token.',
  }),
  metrics_token: setting({
    env: 'WORKSPACE_METRICS_TOKEN',
    flag: '--metrics-token <token>',
    type: z.string().min(16, 'must have at least 16 characters').or(z.literal('')),
    default: '',
    help: 'What the collector of metrics sends as its bearer token; best given as the variable, which no list of processes shows.',
  }),
}
