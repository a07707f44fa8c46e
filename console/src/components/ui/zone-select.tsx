import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { allZones, wallTime } from '@/time/format';
import { findZones } from '@/time/zone-search';
import classes from './zone-select.module.css';

interface ZoneSelectProps {
  label: string;
  description?: string;
  value: string;
  onChange: (zone: string) => void;
  error?: string | undefined;
}

/**
 * Picks an IANA zone by name, city or what the zone is called in the reader's language; each is
 * shown with its present distance from UTC.
 */
export function ZoneSelect({ value, onChange, ...rest }: ZoneSelectProps) {
  const { t, i18n } = useTranslation();
  const zones = useMemo(() => {
    const all = allZones();
    return all.includes(value) ? all : [value, ...all];
  }, [value]);
  return (
    <Select
      {...rest}
      searchable
      limit={60}
      nothingFoundMessage={t('zone.none')}
      value={value}
      data={zones}
      filter={({ search, limit }) =>
        findZones(zones, search, i18n.language)
          .slice(0, limit)
          .map((zone) => ({ value: zone, label: zone }))
      }
      renderOption={({ option }) => <ZoneOption zone={option.value} />}
      onChange={(zone) => zone !== null && onChange(zone)}
    />
  );
}

function ZoneOption({ zone }: { zone: string }) {
  const offset = wallTime(new Date(), zone).offset;
  return (
    <span className={classes.option}>
      <span>{zone}</span>
      <span className={classes.offset}>{offset === 'Z' ? '+00:00' : offset}</span>
    </span>
  );
}
