package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// AppRoles answers the roles that users or API tokens hold in single apps, by holder and
// app.
func (s *Store) AppRoles(ctx context.Context, holderIDs []string) (map[string][]models.AppRole, error) {
	all := make(map[string][]models.AppRole, len(holderIDs))
	for chunk := range chunks(holderIDs, inLimit) {
		rows, err := list[models.AppRole](s.read(ctx).Where("holder_id IN ?", chunk).Order("holder_id, app_id"), "roles in apps")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			all[r.HolderID] = append(all[r.HolderID], r)
		}
	}
	return all, nil
}

// setAppRoles replaces the roles of a holder.
func setAppRoles(tx *gorm.DB, holderID string, roles []models.AppRole) error {
	if _, err := exec(tx, "DELETE FROM app_roles WHERE holder_id = ?", holderID); err != nil {
		return err
	}
	for i := range roles { // MaxAppRoles at most
		if _, err := exec(tx, "INSERT INTO app_roles (holder_id, app_id, role) VALUES (?, ?, ?)", holderID, roles[i].AppID, roles[i].Role); err != nil {
			return err
		}
	}
	return nil
}
