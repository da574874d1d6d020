import { LOOPBACK } from '../port.js';

/** Durability (fsync, synchronous_commit) stays at PostgreSQL's defaults: what is shown here holds elsewhere. */
export function serverSettings(port: number, others: Readonly<Record<string, string>>): string[] {
  const settings = {
    port,
    listen_addresses: LOOPBACK,
    unix_socket_directories: '',
    wal_level: 'logical',
    max_connections: 300,
    max_replication_slots: 40,
    max_wal_senders: 40,
    // Unlimited by default: a relay that is gone for good would fill the disk.
    max_slot_wal_keep_size: '4GB',
    max_wal_size: '2GB',
    shared_buffers: '256MB',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...others,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
