import { z } from 'zod'
import { yesNoType, setting } from './setting.ts'

/** Settings for monitoring a running server; docs/operating.md explains them under "Logs, metrics, traces". */
export const monitoringSettings = {
  log_level: setting<'debug' | 'info' | 'warn' | 'error'>({
    env: 'WORKSPACE_LOG_LEVEL',
    flag: '--log-level <level>',
    type: z.enum(['debug', 'info', 'warn', 'error']),
    default: 'info',
    help: 'Log level: debug (includes every call), info, warn or error.',
  }),
  access_log: setting({
    env: 'WORKSPACE_ACCESS_LOG',
    flag: '--access-log <yes|no>',
    type: yesNoType,
    default: false,
    help: 'Log every HTTP request.',
  }),
  metrics: setting<'off' | 'loopback' | 'token'>({
    env: 'WORKSPACE_METRICS',
    flag: '--metrics <off|loopback|token>',
    type: z.enum(['off', 'loopback', 'token']),
    default: 'off',
    help: 'Who may read /metrics: no one, programs on this machine, or clients with the metrics token.',
  }),
  metrics_token: setting({
    env: 'WORKSPACE_METRICS_TOKEN',
    flag: '--metrics-token <token>',
    type: z.string().min(16, 'must have at least 16 characters').or(z.literal('')),
    default: '',
    help: 'Bearer token of the metrics collector; prefer the environment variable, which process lists do not show.',
  }),
}
